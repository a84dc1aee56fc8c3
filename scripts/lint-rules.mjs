// Rules of the linter that oxlint does not have. oxlint.config.ts names them.

/** The width includes strings, templates and comments, which oxfmt does not break. */
const maxLen = {
  meta: { schema: [{ type: 'integer' }] },
  create: ({ options: [width], sourceCode, report }) => ({
    Program: () =>
      sourceCode.lines.forEach((text, index) => {
        const line = index + 1;
        const loc = { start: { line, column: 0 }, end: { line, column: text.length } };
        if (text.length > width) report({ loc, message: `This line has more than ${width} characters.` });
      }),
  }),
};

/** The options are selectors with messages, as of ESLint's rule of this name. */
const noRestrictedSyntax = {
  meta: { schema: { type: 'array' } },
  create: ({ options, report }) =>
    Object.fromEntries(options.map(({ selector, message }) => [selector, (node) => report({ node, message })])),
};

/** In files without decorators: Nest injects by the classes that decorated ones name as types. */
const typeImports = {
  create: ({ sourceCode, report }) => {
    if (/^\s*@\w/m.test(sourceCode.text)) return {};
    const check = (specifier) => {
      const [{ references }] = sourceCode.getDeclaredVariables(specifier);
      if (specifier.importKind === 'type' || references.length === 0) return;
      if (references.every(({ isTypeReference }) => isTypeReference))
        report({ node: specifier, message: 'Import with `type` what is used as a type only.' });
    };
    return { "ImportDeclaration[importKind!='type']": ({ specifiers }) => specifiers.forEach(check) };
  },
};

/** oxfmt then writes one option per line: it keeps an object open whose first property is on a line of its own. */
const verticalDecoratorOptions = {
  meta: { type: 'layout', fixable: 'whitespace' },
  create: ({ sourceCode, report }) => ({
    'Decorator > CallExpression > ObjectExpression.arguments[properties.length>1]': (options) => {
      const [first] = options.properties;
      if (sourceCode.text.slice(options.range[0], first.range[0]).includes('\n')) return;
      const message = 'Write the options of a decorator one per line.';
      report({ node: options, message, fix: (fixer) => fixer.insertTextBefore(first, '\n') });
    },
  }),
};

export default {
  meta: { name: 'local' },
  rules: {
    'max-len': maxLen,
    'no-restricted-syntax': noRestrictedSyntax,
    'type-imports': typeImports,
    'vertical-decorator-options': verticalDecoratorOptions,
  },
};
