import type { ReferenceOperation } from './model.js';

const NEEDS_MEMBER =
  "The key must be bound to a member, like those of the demo workspace whose names end in a member's address; " +
  'other keys get 403 key_missing_actor.';

/** What a caller must know besides the fields. */
export function factsOf(operation: ReferenceOperation): [string, string][] {
  const { id, isTool, scope, scopeText, keyPermission, permissions, member, emits, bodyLimit, fileLimit, flags } = operation;
  const notes = [
    ...(flags.isDestructive ? ['It can delete, replace or end what exists.'] : []),
    ...(flags.isOpenWorld ? ['It sends mail, calls a model or lets outsiders in.'] : []),
    ...(flags.needsActor ? [NEEDS_MEMBER] : []),
  ];
  return [
    permissions === null
      ? [
          'Scope',
          `\`${scope}\`${scopeText && `: ${scopeText}`}${keyPermission === null ? '' : `; the bound member needs \`${keyPermission}\``}`,
        ]
      : ['Permission', permissions.length > 0 ? `\`${permissions.join('` or `')}\`` : 'None: every member may call it.'],
    ...(isTool ? [['Tool', `\`${id}\``] as [string, string]] : []),
    ...(member
      ? [
          ['For members', `\`${member.path}\`${member.permissions.length > 0 ? ` with \`${member.permissions.join('` or `')}\`` : ''}`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(emits.length === 0 ? [] : [['Events', emits.map((name) => `[\`${name}\`](/docs/events#${name})`).join(', ')] as [string, string]]),
    ...(bodyLimit === null ? [] : [['Largest body', sizeOf(bodyLimit)] as [string, string]]),
    ...(fileLimit === null ? [] : [['Largest files', `${sizeOf(fileLimit)} in all`] as [string, string]]),
    ...(notes.length > 0 ? [['Effects', notes.join(' ')] as [string, string]] : []),
  ];
}

const KIB = 1024;
const MIB = KIB * KIB;

/** `1 MiB`, `64 KiB`. */
export function sizeOf(bytes: number): string {
  return bytes >= MIB ? `${Number((bytes / MIB).toFixed(1))} MiB` : `${Math.round(bytes / KIB)} KiB`;
}
