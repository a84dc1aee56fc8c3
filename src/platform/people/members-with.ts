import type { Tx } from '../../kit/index.js';
import type { Permission } from './permissions.js';

/** The active members whose role holds a permission. */
export function membersWith(tx: Tx, organizationId: string, permission: Permission): Promise<{ id: string; email: string; name: string }[]> {
  return tx.query(
    `SELECT m.id, m.email, m.name FROM members m JOIN roles r ON r.id = m.role_id
     WHERE m.organization_id = $1 AND m.status = 'active' AND $2 = ANY(r.permissions) ORDER BY m.id`,
    [organizationId, permission],
  );
}
