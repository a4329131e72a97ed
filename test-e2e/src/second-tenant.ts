import { isStackGiven, seedBeside, seedGiven, type SeededTenant, type Stack } from '@sluice/testing';

/** Makes another tenant with an admin key beside the stack's first; on a stack of this machine once for each name. */
export async function seedTenant(stack: Stack, name: string): Promise<SeededTenant> {
  // a stack that is there for longer has had one of this name
  return isStackGiven ? await seedGiven(stack, `${name} ${Date.now()}`) : await seedBeside(stack, name);
}
