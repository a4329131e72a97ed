import { Status } from '@sluice/ui/status.tsx';
import { shownDeploymentStatus } from '../lib/status.ts';

/** The status of a deployment by colour, shape and word. */
export function DeploymentStatusMark({ status }: { status: string }) {
  const { kind, word } = shownDeploymentStatus(status);
  return <Status kind={kind}>{word}</Status>;
}
