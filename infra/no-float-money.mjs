const amounts = /(cents|usd|dollars?|amount|price|cost|total|compute|storage|network|telemetry|data_retention)$/i;
const message = 'Money is reckoned with decimal.js and never as a float: decision 179.';

const nameOf = (node) =>
  node.type === 'Identifier' ? node.name : node.type === 'MemberExpression' ? node.property.name : undefined;

/** Refuses arithmetic on amounts as floats, and their conversion to and from these. */
export default {
  meta: { type: 'problem', schema: [], messages: { float: message } },
  create(context) {
    const { parserServices } = context.sourceCode;
    const isNumber = (node) => {
      const type = parserServices.getTypeAtLocation(node);
      return parserServices.program.getTypeChecker().getApparentType(type).symbol?.name === 'Number';
    };
    const isAmount = (node) => amounts.test(nameOf(node) ?? '');
    const report = (node) => context.report({ node, messageId: 'float' });
    return {
      "CallExpression[callee.name='parseFloat']": report,
      "CallExpression[callee.object.name='Number'][callee.property.name='parseFloat']": report,
      // counts of seconds are whole
      "CallExpression[callee.name='Number']": (node) => {
        if (nameOf(node.arguments[0] ?? node) !== 'seconds') report(node);
      },
      "CallExpression[callee.property.name='toFixed']": (node) => {
        if (isNumber(node.callee.object)) report(node);
      },
      'BinaryExpression[operator=/^[-+*/%]$/], AssignmentExpression[operator=/^[-+*/%]=$/]': (node) => {
        if ([node.left, node.right].some((side) => isAmount(side) && isNumber(side))) report(node);
      },
      "UnaryExpression[operator=/^[-+]$/]": (node) => {
        if (isAmount(node.argument)) report(node);
      },
    };
  },
};
