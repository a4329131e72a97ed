import { monthlyCentsOf, mostMonthlyCents } from '@sluice/contracts';
import { fieldProblem } from '@sluice/service';
import { priceOf, type Sized } from '@sluice/catalogue/deployment-prices';
import type { ValidList } from '@sluice/catalogue/price-book';

type Refuse = (field: string, code: string, message: string) => void;

const throwProblem: Refuse = (field, code, message) => {
  throw fieldProblem(field, code, message);
};

/**
 * Refuses the value of a field with which a deployment would cost more than its region accepts, now or by a list that is announced; and a
 * tier that has no price.
 * @throws Problem `invalid_request`, unless `refuse` collects what is wrong
 */
export function checkPrice(
  lists: readonly ValidList[],
  deployment: Sized,
  field: string,
  refuse: Refuse = throwProblem,
): void {
  const prices = lists.map(({ list }) => priceOf(list, deployment));
  if (!prices[0]) return refuse('tier', 'unknown', 'has no price here');
  if (prices.every((price) => !price || monthlyCentsOf(price) <= mostMonthlyCents)) return;
  refuse(field, 'too_large', `makes the deployment cost more than $${mostMonthlyCents / 100} a month`);
}
