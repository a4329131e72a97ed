import { mostMonthlyCents } from '@sluice/contracts';
import { fieldProblem } from '@sluice/service';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { monthlyCents, type Sized } from '../../catalogue/deployment-prices.ts';

type Refuse = (field: string, code: string, message: string) => void;

const throwProblem: Refuse = (field, code, message) => {
  throw fieldProblem(field, code, message);
};

/**
 * Refuses the value of a field with which a deployment would cost more than its region accepts.
 * @throws Problem `invalid_request`, unless `refuse` collects what is wrong
 */
export function checkPrice(
  catalogue: Catalogue,
  deployment: Sized,
  field: string,
  refuse: Refuse = throwProblem,
): void {
  const tier = catalogue.tiers.find(({ key }) => key === deployment.tier);
  if (!tier || monthlyCents(catalogue, tier, deployment) <= mostMonthlyCents) return;
  refuse(field, 'too_large', `makes the deployment cost more than $${mostMonthlyCents / 100} a month`);
}
