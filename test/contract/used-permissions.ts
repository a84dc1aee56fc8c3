import ts from 'typescript';
import { dirname, join } from 'node:path';

/** A permission that code names, and where. */
export interface UsedPermission {
  name: string;
  at: string;
}

/** The calls whose argument at this index is a permission, or a list of them. */
const ARGUMENTS: Readonly<Record<string, number>> = { withPermission: 1, memberMay: 2, can: 0, lacksPermission: 0 };
const PROPERTIES = new Set(['permission', 'permissions', 'scopePermissions']);
/** What asks a set or a list, whose name does not tell what is in it. */
const QUESTIONS = new Set(['has', 'includes', 'isSupersetOf', 'indexOf']);
const FORM = /^[a-z_]+(?:\.[a-z_]+){2}$/;

/**
 * The permissions that a file requires of callers, or by which it finds members: in `permissions.has()` and in questions to other sets if
 * they have the form of one, in calls like `withPermission` and properties like `permission`; as text, or by the name of a constant of this
 * file or of one that it imports. `read` returns the text of a file.
 */
export function usedPermissions(path: string, read: (path: string) => string): UsedPermission[] {
  const source = parsed(path, read);
  const found: UsedPermission[] = [];
  const note = (value: ts.Node | undefined, isPermission = (_: string) => true) => {
    for (const { text, node } of textsOf(value, source, read).filter((one) => isPermission(one.text)))
      found.push({ name: text, at: `${path}:${source.getLineAndCharacterOfPosition((node ?? value!).getStart(source)).line + 1}` });
  };
  const visit = (node: ts.Node): void => {
    // its members are descriptions of fields
    if (ts.isCallExpression(node) && node.expression.getText() === 'shownOf') return;
    if (ts.isCallExpression(node)) note(permissionOf(node));
    if (ts.isCallExpression(node) && QUESTIONS.has(calledName(node))) note(node.arguments[0], (text) => FORM.test(text));
    if (ts.isPropertyAssignment(node) && PROPERTIES.has(nameOf(node.name))) note(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function calledName({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : ts.isIdentifier(expression) ? expression.text : '';
}

function permissionOf(call: ts.CallExpression): ts.Node | undefined {
  const { expression, arguments: given } = call;
  const name = calledName(call);
  if (name === 'has' && ts.isPropertyAccessExpression(expression) && /(?:^|\.)permissions$/.test(expression.expression.getText()))
    return given[0];
  return Object.hasOwn(ARGUMENTS, name) ? given[ARGUMENTS[name]] : undefined;
}

/** What an expression can be, as far as it is written in the code. */
function textsOf(
  value: ts.Node | undefined,
  source: ts.SourceFile,
  read: (path: string) => string,
): { text: string; node: ts.Node | null }[] {
  const all = (nodes: readonly ts.Node[]) => nodes.flatMap((node) => textsOf(node, source, read));
  if (!value) return [];
  if (isText(value)) return [{ text: value.text, node: value }];
  if (ts.isArrayLiteralExpression(value)) return all(value.elements);
  if (ts.isConditionalExpression(value)) return all([value.whenTrue, value.whenFalse]);
  if (ts.isAsExpression(value) || ts.isParenthesizedExpression(value) || ts.isSpreadElement(value)) return all([value.expression]);
  // such as the permissions of a module's keys; those that a manifest declares are the names of the properties
  if (ts.isObjectLiteralExpression(value))
    return all(value.properties.flatMap((one) => (ts.isPropertyAssignment(one) && isText(one.initializer) ? [one.initializer] : [])));
  if (ts.isIdentifier(value)) return constantOf(value.text, source, read).map(({ text }) => ({ text, node: null }));
  return [];
}

function constantOf(name: string, source: ts.SourceFile, read: (path: string) => string): { text: string }[] {
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement))
      for (const { name: declared, initializer } of statement.declarationList.declarations)
        if (ts.isIdentifier(declared) && declared.text === name) return textsOf(initializer, source, read);
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const { namedBindings } = statement.importClause ?? {};
    const imported = namedBindings && ts.isNamedImports(namedBindings) && namedBindings.elements.find((one) => one.name.text === name);
    const from = statement.moduleSpecifier.text;
    if (!imported || !from.startsWith('.')) continue;
    const path = join(dirname(source.fileName), from.replace(/\.js$/, '.ts'));
    return constantOf((imported.propertyName ?? imported.name).text, parsed(path, read), read);
  }
  return [];
}

function isText(node: ts.Node): node is ts.StringLiteralLike {
  return ts.isStringLiteralLike(node);
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : '';
}

const files = new Map<string, ts.SourceFile>();

function parsed(path: string, read: (path: string) => string): ts.SourceFile {
  const text = read(path);
  const known = files.get(path);
  if (known?.text === text) return known;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  files.set(path, source);
  return source;
}
