import { z } from 'zod';

/** How an instance asks main-api whether the grants bucket that it sees is the one that main-api keeps. */
export const bucketQuestionSchema = z.object({
  nonce: z.uuid(),
  /** when the bucket was made, as NATS says it */
  created: z.string().max(100),
  /** the newest revision in it */
  lastRevision: z.int().nonnegative(),
});
/** What an instance sees of the bucket. */
export type SeenBucket = Omit<z.infer<typeof bucketQuestionSchema>, 'nonce'>;

export const judgementSchema = z.object({
  /** whether everything that main-api has said is in there */
  current: z.boolean(),
  /** another one means: what was read of the bucket before counts no longer */
  epoch: z.int().nonnegative(),
});
export type Judgement = z.infer<typeof judgementSchema>;

/** What main-api signs its judgement for: an answer holds for one question. */
export const judgementContext = (subject: string, nonce: string) => `${subject} ${nonce}`;
