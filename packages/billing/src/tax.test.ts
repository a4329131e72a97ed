import { taxOf } from './tax.ts';

const rates = { DE: 19, FR: 20 };
const german = { country: 'DE' };

test.each([
  ['in the country of the seller', german, 'DE', null, 'domestic', 19],
  ['the same, with a tax id', german, 'DE', 'DE1', 'domestic', 19],
  ['without a country', german, null, null, 'domestic', 19],
  ['in another country of the EU', german, 'FR', null, 'destination', 20],
  ['in one without a rate', german, 'IT', null, 'destination', 19],
  ['a company in another country of the EU', german, 'FR', 'FR1', 'reverse_charge', 0],
  ['outside of the EU', german, 'US', null, 'outside', 0],
  ['a company outside of the EU', german, 'GB', 'GB1', 'outside', 0],
  ['of a seller outside of the EU', { country: 'US' }, 'DE', 'DE1', 'outside', 0],
  ['of a seller without a rate', { country: 'US' }, 'US', null, 'domestic', 0],
])('a customer %s', (_, seller, country, tax_id, rule, rate) => {
  expect(taxOf(seller, rates, { country, tax_id })).toMatchObject({ rule, rate });
});
