import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Ctx, DemoProject } from '../kit/index.js';
import { ProjectsQuery } from '../kit/internal.js';
import { OrganizationsService } from '../platform/people/organizations/organizations.service.js';
import { ProjectsService } from '../platform/people/projects/projects.service.js';
import { PEOPLE } from './people.js';

const PROJECTS = [
  { key: 'ENG', name: 'Engineering', description: 'The online shop and everything it runs on.', timezone: 'Europe/Berlin' },
  { key: 'OPS', name: 'Operations', description: 'The warehouse, the service and the office.', timezone: 'Europe/Berlin' },
];

/** An organization of the database: that of the demo, if there is one. */
async function anyOrganization(app: INestApplicationContext): Promise<{ id: string; demo: boolean } | undefined> {
  const organizations = await app.get(DataSource).query<{ id: string; demo: boolean }[]>(
    `SELECT o.id, EXISTS (SELECT FROM members m WHERE m.organization_id = o.id AND m.email = $1) AS demo
       FROM organizations o ORDER BY demo DESC LIMIT 1`,
    [PEOPLE.ada.email],
  );
  return organizations.at(0);
}

/** The id of the demo's organization; null without one. */
export async function demoOrganization(app: INestApplicationContext): Promise<string | null> {
  const found = await anyOrganization(app);
  return found?.demo ? found.id : null;
}

/** The id of the demo's organization; null if the database already contains other organizations. */
export async function findOrCreateOrganization(app: INestApplicationContext, password: string): Promise<string | null> {
  const found = await anyOrganization(app);
  if (found) return found.demo ? found.id : null;
  const { organization } = await app.get(OrganizationsService).create({ name: 'Demo workspace', owner: { ...PEOPLE.ada, password } });
  return organization.id;
}

export async function addProjects(app: INestApplicationContext, ctx: Ctx): Promise<DemoProject[]> {
  const projects: DemoProject[] = [];
  for (const project of PROJECTS) projects.push(withoutDetails(await app.get(ProjectsService).create(ctx, project)));
  return projects;
}

export async function activeProjects(app: INestApplicationContext, ctx: Ctx): Promise<DemoProject[]> {
  const { data } = await app.get(ProjectsService).page(ctx, Object.assign(new ProjectsQuery(), { limit: 100, status: ['active'] }));
  return data.map(withoutDetails);
}

/** Whether the seed was committed: it creates projects, and projects are never deleted. */
export async function hasProjects(app: INestApplicationContext, ctx: Ctx): Promise<boolean> {
  const { data } = await app.get(ProjectsService).page(ctx, Object.assign(new ProjectsQuery(), { limit: 1 }));
  return data.length > 0;
}

function withoutDetails({ id, key, name }: DemoProject): DemoProject {
  return { id, key, name };
}
