import { isIn, type Cut } from '@sluice/console-core/lib/access.ts';
import { PartialState } from '@sluice/ui/feedback.tsx';
import { protocols } from '../connect/endpoints.ts';

/** Which addresses no rule lets in any more, the person's own among them. */
export function Cuts({ cuts, address }: { cuts: readonly Cut[]; address: string | null }) {
  if (cuts.length === 0) return null;
  const isOwn =
    address !== null &&
    isIn(
      address,
      cuts.map(({ block }) => block),
    );
  return (
    <PartialState>
      <p>Connections from these addresses are closed at once, as no other rule lets them in:</p>
      <ul>
        {cuts.slice(0, 6).map(({ block, protocols: cut, isPartial }) => (
          <li key={block}>
            <code>{block}</code>
            {isPartial && ', in part'} (
            {protocols
              .filter(({ key }) => cut.includes(key))
              .map(({ name }) => name)
              .join(', ')}
            )
          </li>
        ))}
        {cuts.length > 6 && <li>and {cuts.length - 6} more</li>}
      </ul>
      {isOwn && <p>Your own address {address} is among them.</p>}
    </PartialState>
  );
}
