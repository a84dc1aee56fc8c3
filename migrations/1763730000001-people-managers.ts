import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The manager of a member. */
export class PeopleManagers1763730000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE members
        ADD COLUMN manager_id uuid,
        ADD CONSTRAINT members_manager_id_check CHECK (manager_id <> id),
        ADD CONSTRAINT members_manager_fkey FOREIGN KEY (organization_id, manager_id) REFERENCES members (organization_id, id)`);
    await queryRunner.query(`CREATE INDEX members_manager_id_idx ON members (manager_id) WHERE manager_id IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE members DROP COLUMN manager_id`);
  }
}
