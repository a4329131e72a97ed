export type Fate =
  | 'pass'
  /** it takes effect, and its answer is lost */
  | 'lose'
  /** it is lost itself */
  | 'drop'
  | 'throttle'
  /** the caller may not */
  | 'deny'
  | 'fail';
