/** Another replica goes on, or there is nothing to go on with: what was begun stores nothing any more. */
export class WorkLost extends Error {
  constructor() {
    super('the work on the volumes of a deployment is in other hands');
  }
}
