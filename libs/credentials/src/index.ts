/**
 * Formats and cryptography for secrets: API keys, tokens, encrypted values and signed cache records. This
 * package stores nothing and makes no decisions about access.
 */
export {
  formatSlot,
  generateApiKey,
  generatePassword,
  generateToken,
  hashToken,
  isApiKeyForm,
  SLOT_COUNT,
} from './api-key.js';
export {
  AUDIT_CHAIN_START,
  createAuditChain,
  deriveAuditKey,
  openAuditChain,
  type AuditChain,
} from './audit-chain.js';
export { createMessageSigner, type MessageSigner, type OpenedMessage } from './message-signer.js';
export { hashReadRights, hashWriteRights, toWriteRights } from './rights-hash.js';
export { createSecretBox, fingerprintKey, type SecretBox } from './secret-box.js';
export { generateEnvelopeKeys, openWithPrivateKey, sealToPublicKey } from './sealed-envelope.js';
export { deriveRecordKey, signRecord, verifyRecord, type RecordLabel } from './signed-record.js';
