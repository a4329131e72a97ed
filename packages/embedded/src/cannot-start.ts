/**
 * Something that a person has to put right before a server can start. The message is one whole sentence that says
 * what is wrong and what to do; it is shown as it is, without a stack trace.
 */
export class CannotStart extends Error {
  override name = 'CannotStart';
}
