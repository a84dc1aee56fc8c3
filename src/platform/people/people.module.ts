import { Global, Module, type DynamicModule } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Members, Projects } from '../../kit/index.js';
import { MemberDirectory } from './members/member-directory.js';
import { Member } from './model/member.entity.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { Organization } from './model/organization.entity.js';
import { OrganizationController } from './organizations/organization.controller.js';
import { OrganizationsService } from './organizations/organizations.service.js';
import { PEOPLE_SETTINGS, type PeopleSettings } from './model/people-settings.js';
import { MissingSetups } from './projects/missing-setups.js';
import { ProjectDirectory } from './projects/project-directory.js';
import { Project } from './model/project.entity.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ProjectsService } from './projects/projects.service.js';
import { Role } from './model/role.entity.js';
import { PasswordCheck } from './sessions/password-check.js';
import { DefaultPermissions } from './roles/default-permissions.js';
import { RolesController } from './roles/roles.controller.js';
import { RolesService } from './roles/roles.service.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { SecondFactor } from './second-factor/second-factor.entity.js';
import { SecondFactors } from './second-factor/second-factors.service.js';
import { SecondStep } from './sessions/second-step.js';
import { PasswordReset } from './sessions/password-reset.entity.js';
import { SessionReader } from './sessions/session-reader.js';
import { SessionTokens } from './sessions/session-tokens.js';
import { SessionController } from './sessions/session.controller.js';
import { Session } from './sessions/session.entity.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInFailure } from './failures/sign-in-failure.entity.js';
import { FailureNotes } from './failures/failure-notes.js';
import { SignInFailures } from './failures/sign-in-failures.js';
import { EmailPasswordGuard, EmailPasswordStrategy } from './sessions/sign-in.js';

/**
 * Organizations, projects, members and sessions. Needs Store, KeyChanges, PermissionRegistry and PROJECT_SETUPS from global modules.
 * - `model/` entities, permissions, and what the other folders share
 * - `organizations/`, `projects/`, `members/`, `roles/` their routes and services, and the directories for modules
 * - `failures/` the limits of wrong passwords and codes
 * - `second-factor/` authenticator apps and recovery codes
 * - `sessions/` sign-in, sign-out and the current session
 */
@Global()
@Module({})
export class PeopleModule {
  static register(settings: PeopleSettings): DynamicModule {
    return {
      module: PeopleModule,
      imports: [
        PassportModule,
        TypeOrmModule.forFeature([Organization, Project, Role, Member, Session, PasswordReset, SecondFactor, SignInFailure]),
      ],
      controllers: [
        RolesController,
        OrganizationController,
        SecondFactorController,
        SessionController,
        SessionsController,
        ProjectsController,
        MembersController,
      ],
      providers: [
        { provide: PEOPLE_SETTINGS, useValue: settings },
        ProjectDirectory,
        { provide: Projects, useExisting: ProjectDirectory },
        MemberDirectory,
        { provide: Members, useExisting: MemberDirectory },
        OrganizationsService,
        ProjectsService,
        MembersService,
        RolesService,
        DefaultPermissions,
        MissingSetups,
        SessionTokens,
        SessionReader,
        SessionsService,
        SignInFailures,
        FailureNotes,
        PasswordCheck,
        SecondFactors,
        SecondStep,
        EmailPasswordStrategy,
        EmailPasswordGuard,
      ],
      exports: [
        Projects,
        Members,
        DefaultPermissions,
        MissingSetups,
        OrganizationsService,
        ProjectsService,
        MembersService,
        SessionReader,
        SessionsService,
        PasswordCheck,
      ],
    };
  }
}
