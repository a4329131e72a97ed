import type { Argument, Command, Option } from 'commander';
import { nouns } from './commands/index.ts';
import { createCli } from './create-cli.ts';
import { processIo } from '@sluice/terminal/io';
import { createProgram, load } from './program.ts';

/** options of many verbs, which are described once */
const common = ['--dry-run', '--yes', '--code', '--wait', '--timeout'];

/** The description of a noun for a document, from what its help is made of. */
export interface NounPage {
  name: string;
  group: string;
  summary: string;
  /** Markdown: the description, then each verb with what it takes */
  sections: string[];
}

/** The pages, and the options of many verbs as lines of a list. */
export async function nounPages(): Promise<{ pages: NounPage[]; options: string[] }> {
  const cli = createCli(processIo(), new AbortController().signal);
  const program = createProgram(cli);
  const pages = [];
  const shared = new Map<string, string>();
  for (const { name, group, summary, isHidden } of nouns) {
    const command = program.commands.find((one) => one.name() === name);
    if (!command || isHidden) continue;
    await load(command, cli);
    const verbs = verbsOf(command);
    for (const option of verbs.flatMap(({ options }) => options))
      if (isCommon(option)) shared.set(option.long ?? '', lineOf(option.flags, option));
    const own =
      verbs.length === 0 || command.registeredArguments.length > 0 ? described(command) : [text(command)];
    pages.push({
      name,
      group,
      summary,
      sections: [...own, ...verbs.flatMap((verb) => [`## ${titleOf(verb)}`, ...described(verb)])],
    });
  }
  return { pages, options: common.flatMap((name) => shared.get(name) ?? []) };
}

const isCommon = ({ long }: Option): boolean => common.includes(long ?? '');

/** Commands that do something, those below a verb in its place. */
const verbsOf = (command: Command): Command[] =>
  command.commands.flatMap((verb) => (verb.commands.length > 0 ? verbsOf(verb) : [verb]));

/** `sluice audit sink show` */
function titleOf(command: Command): string {
  const { parent } = command;
  return parent ? `${titleOf(parent)} ${command.name()}` : command.name();
}

function described(command: Command): string[] {
  const options = command.options.filter(({ hidden }) => !hidden);
  const operands = command.registeredArguments.map((one) => lineOf(operandOf(one), one));
  const flags = options.filter((one) => !isCommon(one)).map((one) => lineOf(one.flags, one));
  const others = options.filter(isCommon).map(({ long }) => `\`${long}\``);
  const [alias] = command.aliases();
  return [
    `${text(command)}${alias === undefined ? '' : ` Also \`${alias}\`.`}`,
    `\`\`\`\n${[titleOf(command), command.usage()].join(' ').trim()}\n\`\`\``,
    [...operands, ...flags].join('\n'),
    others.length === 0 ? '' : `Also ${others.join(', ')}.`,
    after(command),
  ].filter((part) => part !== '');
}

const text = (command: Command): string => {
  const description = command.description();
  return description.endsWith('.') ? description : `${description}.`;
};

function operandOf(operand: Argument): string {
  const [open, close] = operand.required ? '<>' : '[]';
  return `${open}${operand.name()}${operand.variadic ? '...' : ''}${close}`;
}

/** With its choices and its default, as the help has them. */
function lineOf(shown: string, one: Option | Argument): string {
  const { description, argChoices: choices } = one;
  const defaultValue = one.defaultValue as boolean | string | number | string[] | undefined;
  const line = `- \`${shown}\`: ${description}`;
  const isShown = defaultValue !== undefined && typeof defaultValue !== 'boolean';
  const more = [
    ...(choices ? [`one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`] : []),
    ...(isShown ? [`default \`${String(one.defaultValueDescription ?? defaultValue)}\``] : []),
  ];
  return more.length === 0 ? line : `${line} (${more.join('; ')})`;
}

/** What the help says at its end. */
function after(command: Command): string {
  const pieces: string[] = [];
  command.configureOutput({ writeOut: (piece) => void pieces.push(piece) }).outputHelp();
  const said = pieces.slice(1).join('').trim();
  return said.includes('\n') ? `\`\`\`text\n${said}\n\`\`\`` : said;
}
