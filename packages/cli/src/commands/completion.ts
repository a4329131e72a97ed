import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export default function completion(command: Command, cli: Cli): void {
  command
    .description(
      'Print the script with which a shell completes commands, options, and names of places, contexts, operations, streams and consumers.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
To have it from the next shell on:
  bash  sluice completion bash > ~/.local/share/bash-completion/completions/sluice
  zsh   sluice completion zsh > "\${fpath[1]}/_sluice"
  fish  sluice completion fish > ~/.config/fish/completions/sluice.fish`,
    )
    .action(async (shell: string) => {
      const { scriptFor } = await import('./completion/complete.ts');
      await cli.output.raw(scriptFor(shell));
    });
}
