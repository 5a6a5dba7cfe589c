/** From the root: of any of the systems, since what is named here is read by the one that runs. */
export const WHOLE_PATH = /^(?:\/|[A-Za-z]:[\\/]|\\\\)./

/** No user, query or fragment: a password there would be kept in clear, and the rest would be dropped without a word. */
export const PLAIN_URL = /^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i
