import { useQuery } from '@tanstack/react-query';
import { Select } from '@sluice/ui/choice.tsx';
import { useDeployment } from '../deployment-context.ts';
import { liveQuery } from '../queries.ts';

const all = 'all';

/** Chooses one node, where there are several. */
export function NodeSelect({
  node,
  onChange,
}: {
  node: number | undefined;
  onChange: (node: number | undefined) => void;
}) {
  const { data: live } = useQuery(liveQuery(useDeployment()));
  const nodes = live?.nodes ?? [];
  if (nodes.length < 2 && node === undefined) return null;
  return (
    <Select
      label="Node"
      hideLabel
      options={[
        { key: all, label: 'All nodes' },
        ...nodes.map(({ id, name }) => ({ key: String(id), label: name })),
      ]}
      value={node === undefined ? all : String(node)}
      onChange={(key) => onChange(key === null || key === all ? undefined : Number(key))}
    />
  );
}
