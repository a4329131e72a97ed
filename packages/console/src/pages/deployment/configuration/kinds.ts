import type { ActionName } from '../../../api/actions.ts';

export const brokerKind = 'broker';

/** The action that stores or activates a configuration: those of connectors need less. */
export const manageAction = (kind: string, activates = false): ActionName =>
  kind === brokerKind
    ? activates
      ? 'activateConfig'
      : 'createConfig'
    : activates
      ? 'activateConnectorConfig'
      : 'createConnectorConfig';

/** `broker@2`, as commands take it */
export const titleOf = ({ name, version }: { name: string; version: number }): string => `${name}@${version}`;

/** The options of a command that say which kind is meant. */
export const kindFlag = (kind: string): string[] => (kind === brokerKind ? [] : ['--kind', kind]);
