import type { FormerLogin } from '@sluice/client';
import { Time } from '@sluice/ui/data.tsx';

/** Earlier logins that still work, with their ends. */
export function FormerLogins({ former }: { former: readonly FormerLogin[] }) {
  return (
    <ul>
      {former.map(({ username, valid_until: end }) => (
        <li key={username}>
          <code>{username}</code>, until <Time at={end} />
        </li>
      ))}
    </ul>
  );
}
