/** What is needed before it can go on is done by a person: machines are enrolled. */
export class PersonNeeded extends Error {
  override readonly name = 'PersonNeeded';
  readonly place: string;
  readonly nodes: readonly string[];

  constructor(place: string, nodes: readonly string[]) {
    super(`The deployment ${place} waits for machines that a person enrols: ${nodes.join(', ')}.`);
    this.place = place;
    this.nodes = nodes;
  }
}
