import type { DataSource } from 'typeorm';
import { ConfigError, isUuid } from '../kit/index.js';
import { suiteCommand } from './command-line.js';

interface NamedRow {
  id: string;
  name: string;
}

/** An organization by name or id; without either, the only organization. */
export async function findOrganization(dataSource: DataSource, given: string | undefined): Promise<NamedRow> {
  const found = await dataSource.query<NamedRow[]>(
    `SELECT id, name FROM organizations WHERE $1::text IS NULL OR id::text = $1 OR lower(name) = lower($1) ORDER BY id LIMIT 2`,
    [given ?? null],
  );
  if (found.length === 1) return found[0];
  if (given === undefined) {
    throw new ConfigError(
      found.length === 0
        ? `There is no organization yet: make one with ${suiteCommand('org')} create.`
        : 'There are several organizations: name one with --organization.',
    );
  }
  throw new ConfigError(
    found.length === 0 ? `There is no organization "${given}".` : `Several organizations are named "${given}": give the id.`,
  );
}

export async function findProject(dataSource: DataSource, organizationId: string, given: string): Promise<string> {
  const [project] = await dataSource.query<NamedRow[]>(
    `SELECT id FROM projects WHERE organization_id = $1 AND (id::text = $2 OR key = upper($2))`,
    [organizationId, given],
  );
  if (!project) throw new ConfigError(`There is no project "${given}" in this organization.`);
  return project.id;
}

export async function findMember(dataSource: DataSource, organizationId: string, email: string): Promise<string> {
  const [member] = await dataSource.query<NamedRow[]>(`SELECT id FROM members WHERE organization_id = $1 AND email = lower($2)`, [
    organizationId,
    email,
  ]);
  if (!member) throw new ConfigError(`There is no member "${email}" in this organization.`);
  return member.id;
}

/** The organization that a key belongs to. */
export async function organizationOfKey(dataSource: DataSource, id: string): Promise<string> {
  const [key] = isUuid(id)
    ? await dataSource.query<{ organization_id: string }[]>(`SELECT organization_id FROM api_keys WHERE id = $1`, [id])
    : [];
  if (!key) throw new ConfigError(`There is no API key "${id}"; ${suiteCommand('keys')} list shows their ids.`);
  return key.organization_id;
}
