import ts from 'typescript';

/** The titles of all tests of a source file, as they are written. A test within a `describe` also has the title of that before its own. */
export function testTitles(source: string): Set<string> {
  const file = ts.createSourceFile('test.ts', source, ts.ScriptTarget.Latest);
  const titles = new Set<string>();
  const own = ownRunners(file);
  const visit = (node: ts.Node, groups: string[]): void => {
    if (ts.isCallExpression(node) && isLeftOut(node.expression)) return;
    const call = ts.isCallExpression(node) ? node : undefined;
    const title = call?.arguments[0];
    const kind = call && runnerOf(call.expression, own);
    if (call && kind && title && ts.isStringLiteralLike(title)) {
      if (kind === 'test') {
        titles.add(title.text);
        titles.add([...groups, title.text].join(' '));
      }
      const inner = kind === 'describe' ? [...groups, title.text] : groups;
      ts.forEachChild(call, (child) => {
        visit(child, inner);
      });
      return;
    }
    ts.forEachChild(node, (child) => {
      visit(child, groups);
    });
  };
  visit(file, []);
  return titles;
}

/** `test.skip`, `describe.skip` and the like: what stands within is no test that runs. */
function isLeftOut(callee: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(callee))
    return (
      (['skip', 'todo', 'failing'].includes(callee.name.text) && runnerOf(callee.expression) !== undefined) ||
      isLeftOut(callee.expression)
    );
  if (ts.isCallExpression(callee)) return isLeftOut(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isLeftOut(callee.tag);
}

/** The file's own functions that hand their first parameter on as the title of a test: `const onAws = (name, run) => test(name, …)`. */
function ownRunners(file: ts.SourceFile): ReadonlySet<string> {
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  return new Set(
    declarations.flatMap(({ name, initializer }) => {
      if (!ts.isIdentifier(name) || !initializer || !ts.isArrowFunction(initializer)) return [];
      const { parameters, body } = initializer;
      const [title] = ts.isCallExpression(body) && runnerOf(body.expression) === 'test' ? body.arguments : [];
      const [first] = parameters;
      const isHandedOn = first && title && first.name.getText(file) === title.getText(file);
      return isHandedOn ? [name.text] : [];
    }),
  );
}

/** What a call registers: `test`, `it`, `test.each(…)` or tagged `test.each`, `describe` likewise, or a runner of the file's own. */
function runnerOf(callee: ts.Expression, own?: ReadonlySet<string>): 'test' | 'describe' | undefined {
  if (ts.isIdentifier(callee)) {
    if (callee.text === 'it' || callee.text === 'test' || own?.has(callee.text)) return 'test';
    return callee.text === 'describe' ? 'describe' : undefined;
  }
  if (ts.isPropertyAccessExpression(callee)) return runnerOf(callee.expression);
  if (ts.isCallExpression(callee)) return isEach(callee.expression) ? runnerOf(callee.expression) : undefined;
  if (ts.isTaggedTemplateExpression(callee)) return isEach(callee.tag) ? runnerOf(callee.tag) : undefined;
  return undefined;
}

function isEach(callee: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(callee) && callee.name.text === 'each';
}
