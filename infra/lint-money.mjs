const amounts =
  /(cents|usd|dollars?|amount|price|cost|total|compute|storage|network|telemetry|data_retention)$/i;

const nameOf = (node) =>
  node.type === 'Identifier' ? node.name : node.type === 'MemberExpression' ? node.property.name : undefined;
const isAmount = (node) => amounts.test(nameOf(node) ?? '');

/** Refuses arithmetic on amounts as floats, and their conversion to and from these: operators take no decimals. */
const noFloatMoney = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { float: 'Money is reckoned with decimal.js and never as a float: decision 179.' },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'float' });
    const ofOperator = (node) => {
      const { operator, left, right } = node;
      if (/^[-+*/%]=?$/.test(operator) && (isAmount(left) || isAmount(right))) report(node);
    };
    return {
      CallExpression(node) {
        const { callee } = node;
        const name = nameOf(callee);
        if (name === 'parseFloat') report(node);
        // counts of seconds are whole
        if (
          callee.type === 'Identifier' &&
          name === 'Number' &&
          nameOf(node.arguments[0] ?? node) !== 'seconds'
        )
          report(node);
      },
      BinaryExpression: ofOperator,
      AssignmentExpression: ofOperator,
      UnaryExpression(node) {
        if (/^[-+]$/.test(node.operator) && isAmount(node.argument)) report(node);
      },
    };
  },
};

export default { meta: { name: 'sluice' }, rules: { 'no-float-money': noFloatMoney } };
