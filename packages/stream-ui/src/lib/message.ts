/** A message as a stream has stored it. */
export interface StoredMessage {
  sequence: number;
  /** as the broker has it, to the nanosecond */
  time: string;
  subject: string;
  headers: Record<string, string[]>;
  /** the payload, or its beginning */
  data: Uint8Array;
  /** bytes of the whole payload */
  size: number;
}
