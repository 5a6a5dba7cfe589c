/** The only two ways between page and engine. What is asked travels as data, so that no page can name another channel. */
export const REQUEST = 'tidemark:request'
export const CHANGES = 'tidemark:changes'
