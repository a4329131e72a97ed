import { commandText, requestText, type AsCodeText } from '../lib/as-code.ts';
import { IconButton } from '@sluice/ui/button.tsx';
import { CodeBlock } from '@sluice/ui/code.tsx';
import { CodeIcon } from '@sluice/ui/icons.tsx';
import { Popover } from '@sluice/ui/menu.tsx';
import { Tabs } from '@sluice/ui/tabs.tsx';

/** The same as command, as request and as lines for `sluice apply`, to copy. It stands beside the button of each action. */
export function AsCode({ command, request, apply }: AsCodeText) {
  const items = [
    { key: 'command', title: 'Command', code: commandText(command) },
    { key: 'request', title: 'Request', code: requestText(request) },
    ...(apply === undefined ? [] : [{ key: 'apply', title: 'Apply', code: apply }]),
  ];
  return (
    <Popover label="The same as code" trigger={<IconButton label="As code" icon={<CodeIcon />} />}>
      <Tabs
        label="The same as code"
        items={items.map(({ key, title, code }) => ({
          key,
          title,
          content: <CodeBlock code={code} label={title} />,
        }))}
      />
    </Popover>
  );
}
