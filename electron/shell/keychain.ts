import {fileTokens} from '../engine/store/file-tokens.ts'
import type {ProfileFiles} from '../engine/store/profile.ts'
import type {TokenStore} from '../engine/tokens.ts'

/** What is asked of Electron's `safeStorage`, once the app is ready. */
export interface Keychain {
  readonly isEncryptionAvailable: () => boolean
  /** On Linux only: what holds the key. */
  readonly getSelectedStorageBackend?: () => string
  readonly encryptString: (text: string) => Buffer
  readonly decryptString: (sealed: Buffer) => string
}

/** On Linux, `safeStorage` encrypts with a key that everybody knows where no keyring is: it then keeps no secret. */
const KEEPS_NO_SECRET = new Set(['basic_text', 'unknown'])

/** Tokens encrypted with a key of the system's keychain; where there is none, in a file, and in plain words that it is so. */
export function chooseTokens(
  {tokens, sealedTokens}: Pick<ProfileFiles, 'tokens' | 'sealedTokens'>,
  keychain: Keychain,
): TokenStore {
  const plain = fileTokens(tokens)
  if (keychain.isEncryptionAvailable() && !KEEPS_NO_SECRET.has(keychain.getSelectedStorageBackend?.() ?? 'system'))
    return sealed(sealedTokens, keychain, plain)
  return {...plain, describe: `${plain.describe}. This system has no keychain that could keep a key for it`}
}

/** @param plain - where host mode, which has no keychain, may have put some on this profile */
function sealed(path: string, keychain: Keychain, plain: TokenStore): TokenStore {
  const inFile = fileTokens(path)
  const deletePlain: TokenStore['delete'] = async (source) => {
    if ((await plain.get(source)) !== undefined) await plain.delete(source)
  }
  return {
    get: async (source) => {
      const text = await inFile.get(source)
      return text === undefined ? plain.get(source) : keychain.decryptString(Buffer.from(text, 'base64'))
    },
    set: async (source, token) => {
      await inFile.set(source, keychain.encryptString(token).toString('base64'))
      await deletePlain(source)
    },
    delete: async (source) => {
      await inFile.delete(source)
      await deletePlain(source)
    },
    describe: `in the file ${path}, encrypted with a key that the keychain of this system keeps. Host mode cannot read it`,
  }
}
