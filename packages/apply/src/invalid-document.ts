/** Documents that cannot be read, that their schema refuses, or that contradict each other. */
export class InvalidDocument extends Error {
  override readonly name = 'InvalidDocument';
  /** each fault with file, line and column */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super('The document is not valid.');
    this.faults = faults;
  }
}
