/**
 * Writes an exact decimal, as the API has it, as an amount of money: `1234.5` is `$1,234.50`. The text is never made a float.
 * @throws RangeError for a text that is no decimal
 */
export function formatMoney(amount: string, currency = '$'): string {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (!found) throw new RangeError(`'${amount}' is no decimal`);
  const [, sign = '', whole = '', fraction = ''] = found;
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}${currency}${grouped}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Whether a text is an amount of whole cents, such as `250` or `99.90`. */
export const isAmount = (text: string): boolean => /^\d{1,9}(\.\d{1,2})?$/.test(text);
