import type { ReferenceEvent, ReferenceOperation, ReferenceResource } from './model.js';

/** The events that a write certainly sends, by the names that all modules give them: what a change sends depends on its fields. */
export function eventsOf(
  operation: ReferenceOperation,
  resource: ReferenceResource,
  events: readonly ReferenceEvent[],
  fields: string[],
): string {
  const { method, path } = operation;
  const isOne = path.split('/').at(-1) === '{id}';
  const isCollection = path.length === Math.min(...resource.operations.map((one) => one.path.length));
  const isSent = (name: string) => {
    if (method === 'POST') return isCollection && name === 'created';
    if (method === 'DELETE') return isOne && name === 'deleted';
    const [subject, isChange] = [name.replace(/_changed$/, ''), name.endsWith('_changed')];
    return (
      method === 'PATCH' && isOne && (name === 'updated' || (isChange && fields.some((field) => field.replace(/_id$/, '') === subject)))
    );
  };
  return events
    .filter(({ name }) => isSent(name.slice(name.lastIndexOf('.') + 1)))
    .map(({ name }) => `[\`${name}\`](/docs/events#${name})`)
    .join(' or ');
}

/** What a caller must know besides the fields. */
export function factsOf(operation: ReferenceOperation): [string, string][] {
  const { id, isTool, scope, scopeText, keyPermission, member, bodyLimit, flags } = operation;
  const notes = [
    ...(flags.isDestructive ? ['It can delete, replace or end what exists.'] : []),
    ...(flags.isOpenWorld ? ['It sends mail, calls a model or lets outsiders in.'] : []),
    ...(flags.needsActor ? ['The key must be bound to a member.'] : []),
  ];
  return [
    [
      'Scope',
      `\`${scope}\`${scopeText && `: ${scopeText}`}${keyPermission === null ? '' : `; the bound member needs \`${keyPermission}\``}`,
    ],
    ...(isTool ? [['Tool', `\`${id}\``] as [string, string]] : []),
    ...(member
      ? [
          ['Members', `\`${member.path}\`${member.permissions.length > 0 ? ` with \`${member.permissions.join('` or `')}\`` : ''}`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(bodyLimit === null ? [] : [['Largest body', `${Math.round(bodyLimit / 1024).toLocaleString('en')} KiB`] as [string, string]]),
    ...(notes.length > 0 ? [['Effects', notes.join(' ')] as [string, string]] : []),
  ];
}
