/** The roles that every organization has. */
export const DEFAULT_ROLES = ['owner', 'admin', 'developer', 'member'] as const;
export type DefaultRole = (typeof DEFAULT_ROLES)[number];

/** What a role can permit, as a manifest declares it. */
export interface PermissionDefinition {
  /** What it permits, in a few words without a full stop, for example `See tasks and their comments`. */
  title: string;
  /** The heading under which the console shows it; the title of its declarer by default. */
  group?: string;
  /**
   * The default roles that have it, besides `owner`, which has all. New organizations get them so; existing ones get a permission
   * that is new at the next start. Roles that organizations made themselves stay as they are.
   */
  roles: readonly Exclude<DefaultRole, 'owner'>[];
  /** Whether an organization that requires a second factor requires it of roles with this permission. */
  needsSecondFactor?: true;
}

/** Definitions by the permission's name, for example `notes.note.manage`. */
export type PermissionDefinitions = Readonly<Record<string, PermissionDefinition>>;
