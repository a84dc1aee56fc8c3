import type { MigrationInterface, QueryRunner } from 'typeorm';
import { uuidv7 } from 'uuidv7';

interface ProjectRow {
  organization_id: string;
  project_id: string;
}

const LOCATIONS = [
  ['MAIN', 'Main warehouse', true],
  ['QUARANTINE', 'Quarantine', false],
] as const;

const REASONS = [
  ['purchase', 'Purchase'],
  ['sale', 'Sale'],
  ['return', 'Return'],
  ['stocktake', 'Stocktake'],
  ['damage', 'Damaged'],
  ['loss', 'Lost'],
  ['expiry', 'Expired'],
] as const;

/** Gives existing projects the defaults that new projects get on creation. */
export class InventoryDefaults1764000000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const projects = (await queryRunner.query(
      `SELECT organization_id, id AS project_id FROM projects p
       WHERE NOT EXISTS (SELECT FROM inventory_settings s WHERE s.project_id = p.id)`,
    )) as ProjectRow[];
    for (const project of projects) await setUp(queryRunner, project);
  }

  /** Keeps the rows, which may be in use by now; reverting the previous migration drops their tables. */
  async down(): Promise<void> {}
}

async function setUp(queryRunner: QueryRunner, { organization_id, project_id }: ProjectRow): Promise<void> {
  const insert = (table: string, columns: string, ...given: unknown[]) => {
    const values = [organization_id, project_id, uuidv7(), ...given];
    return queryRunner.query(
      `INSERT INTO ${table} (organization_id, project_id, id, ${columns}) VALUES (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
      values,
    );
  };
  await insert('inventory_settings', 'currency', 'EUR');
  for (const [index, location] of LOCATIONS.entries())
    await insert('stock_locations', 'code, name, sellable, position', ...location, index + 1);
  for (const reason of REASONS) await insert('stock_reasons', 'code, name', ...reason);
}
