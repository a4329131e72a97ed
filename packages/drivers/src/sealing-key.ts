import { randomBytes } from 'node:crypto';

/** A key with which an agent seals secrets in its folder, as its file has it. */
export const newSealingKey = () => `1:${randomBytes(32).toString('base64')}`;
