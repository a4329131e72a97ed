/** What a status means for its reader. Each has its colour and its shape. */
export type StatusKind = 'ok' | 'busy' | 'warn' | 'bad' | 'idle';

export interface ShownStatus {
  kind: StatusKind;
  word: string;
}
