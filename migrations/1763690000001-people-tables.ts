import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PeopleTables1763690000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE organizations (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`
      CREATE TABLE projects (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT projects_organization_fkey REFERENCES organizations (id),
        key text NOT NULL CONSTRAINT projects_key_check CHECK (key ~ '^[A-Z][A-Z0-9]{1,9}$'),
        name text NOT NULL,
        description text,
        status text NOT NULL DEFAULT 'active' CONSTRAINT projects_status_check CHECK (status IN ('active', 'archived')),
        timezone text NOT NULL DEFAULT 'UTC',
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT projects_organization_id_id_key UNIQUE (organization_id, id),
        CONSTRAINT projects_organization_id_key_key UNIQUE (organization_id, key)
      )`);
    await queryRunner.query(`CREATE INDEX projects_created_at_idx ON projects (organization_id, created_at, id)`);
    await queryRunner.query(`
      CREATE TABLE roles (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT roles_organization_fkey REFERENCES organizations (id),
        name text NOT NULL,
        permissions text[] NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT roles_organization_id_id_key UNIQUE (organization_id, id),
        CONSTRAINT roles_organization_id_name_key UNIQUE (organization_id, name)
      )`);
    await queryRunner.query(`
      CREATE TABLE members (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT members_organization_fkey REFERENCES organizations (id),
        email text NOT NULL CONSTRAINT members_email_key UNIQUE CONSTRAINT members_email_check CHECK (email = lower(email)),
        name text NOT NULL,
        password_hash text NOT NULL,
        role_id uuid NOT NULL,
        status text NOT NULL DEFAULT 'active' CONSTRAINT members_status_check CHECK (status IN ('active', 'inactive')),
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT members_organization_id_id_key UNIQUE (organization_id, id),
        CONSTRAINT members_role_fkey FOREIGN KEY (organization_id, role_id) REFERENCES roles (organization_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX members_created_at_idx ON members (organization_id, created_at, id)`);
    await queryRunner.query(`
      CREATE TABLE sessions (
        token_hash bytea PRIMARY KEY,
        organization_id uuid NOT NULL,
        member_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT sessions_member_fkey FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX sessions_member_id_idx ON sessions (member_id)`);
    await queryRunner.query(`CREATE INDEX sessions_expires_at_idx ON sessions (expires_at)`);
    await queryRunner.query(`
      CREATE TABLE sign_in_failures (
        subject bytea PRIMARY KEY,
        failures integer NOT NULL,
        window_ends_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`CREATE INDEX sign_in_failures_window_ends_at_idx ON sign_in_failures (window_ends_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE sign_in_failures, sessions, members, roles, projects, organizations`);
  }
}
