/** Quantities in the one form in which the API server gives them back: with the largest unit that leaves a whole number. */
export const cpuQuantity = (thousandths: number) => quantity(thousandths, 1_000, ['m', '', 'k']);
export const memoryQuantity = (mebibytes: number) => quantity(mebibytes, 1_024, ['Mi', 'Gi', 'Ti']);
export const storageQuantity = (gigabytes: number) => quantity(gigabytes, 1_000, ['G', 'T', 'P']);

function quantity(amount: number, step: number, [unit = '', ...larger]: readonly string[]): string {
  if (amount === 0) return '0';
  if (larger.length === 0 || amount % step !== 0) return `${amount}${unit}`;
  return quantity(amount / step, step, larger);
}

const units: Record<string, number> = {
  ...{ '': 1, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** Bytes of a quantity of storage in any form that Kubernetes accepts; NaN for other text. */
export function bytesOf(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?(?:[eE]\d+)?)([kMGTPE]i?|Ki|m)?$/.exec(text) ?? [];
  return Number(number) * (units[unit] ?? NaN);
}
