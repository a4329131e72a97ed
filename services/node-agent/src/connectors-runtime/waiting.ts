/** Nothing is wrong with the instance: what it needs is not there yet. The message says what. */
export class Waiting extends Error {}
