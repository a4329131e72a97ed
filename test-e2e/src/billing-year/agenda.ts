/** What happens when: by time, then by order, then as it was added. */
export class Agenda {
  readonly #steps: { at: number; order: number; run: () => Promise<void> }[] = [];

  add(at: number, order: number, run: () => Promise<void>): void {
    let [low, high] = [0, this.#steps.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const step = this.#steps[middle]!;
      if (step.at < at || (step.at === at && step.order <= order)) low = middle + 1;
      else high = middle;
    }
    this.#steps.splice(low, 0, { at, order, run });
  }

  next = () => this.#steps.shift();
}

/** What comes first where several things are at once. */
export const orders = {
  change: 1,
  look: 2,
  action: 3,
  fault: 4,
  answer: 5,
  mainRestored: 6,
  message: 8,
  check: 9,
};
