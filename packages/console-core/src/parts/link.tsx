import type { ComponentProps } from 'react';
import { createLink } from '@tanstack/react-router';
import { buttonClass, linkClass } from '@sluice/ui/button.tsx';

type AnchorProps = Omit<ComponentProps<'a'>, 'style'> & { look?: 'link' | 'button' | 'primary' | 'plain' };

function Anchor({ look = 'link', className, ref, ...props }: AnchorProps) {
  const looks = {
    link: linkClass,
    button: buttonClass(),
    primary: buttonClass('primary'),
    plain: undefined,
  } as const;
  return <a {...props} ref={ref} className={className ?? looks[look]} />;
}

/** A link to a page of the console, with typed path and search. It is loaded when the pointer rests on it. */
export const Link = createLink(Anchor);

/** A link to another site. It opens in a tab of its own, which learns nothing of this one. */
export function ExternalLink({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" className={linkClass}>
      {children} <span aria-hidden>↗</span>
    </a>
  );
}
