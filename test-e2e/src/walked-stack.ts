import { anyStack, type Stack } from '@sluice/testing';
import { operationsAt, type WalkedOperation } from './documents.ts';
import { createStarter, untilInitialized, type Created } from './story.ts';

/** One of the three APIs, with every operation of the document that it serves. */
export interface Layer {
  url: string;
  operations: WalkedOperation[];
}

export interface WalkedStack extends Created {
  stack: Stack;
  layers: Layer[];
  /** a node of the deployment */
  nodeId: number;
  /** ids of what exists, by parameter name */
  existing: Record<string, string>;
}

/** A tenant with a deployment that is ready, for tests that walk through the operations of a stack. */
export async function walkedStack(given: Promise<Stack> = anyStack()): Promise<WalkedStack> {
  const stack = await given;
  const created = await createStarter(stack);
  const { nodes } = await untilInitialized(stack, created);
  const urls = [stack.base_url, stack.supervisors[0]?.url ?? '', stack.audit_url];
  return {
    ...created,
    stack,
    layers: await Promise.all(urls.map(async (url) => ({ url, operations: await operationsAt(url) }))),
    nodeId: nodes[0]?.id ?? 0,
    existing: {
      tenant_id: String(stack.tenant_id),
      division_id: String(stack.division_id),
      environment_id: String(created.environmentId),
      deployment_id: String(created.deploymentId),
      cloud: 'cloud_a',
      region: 'us-east-1',
    },
  };
}

/** Does it with each, six at a time: requests that change nothing need not wait for each other. */
export async function sixAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const next = all.values();
  const worker = async () => {
    for (const one of next) await work(one);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}
