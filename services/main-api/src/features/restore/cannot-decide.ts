/** A decision cannot be carried out; the message says why, for the operator. */
export class CannotDecide extends Error {}
