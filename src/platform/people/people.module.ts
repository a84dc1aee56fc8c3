import { Global, Module, type DynamicModule } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Members, Projects } from '../../kit/index.js';
import { MemberDirectory } from './member-directory.js';
import { Member } from './member.entity.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { Organization } from './organization.entity.js';
import { OrganizationsService } from './organizations.service.js';
import { PEOPLE_SETTINGS, type PeopleSettings } from './people-settings.js';
import { ProjectDirectory } from './project-directory.js';
import { Project } from './project.entity.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';
import { Role } from './role.entity.js';
import { SessionReader } from './session-reader.js';
import { SessionTokens } from './session-tokens.js';
import { SessionController } from './session.controller.js';
import { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { SignInFailure } from './sign-in-failure.entity.js';
import { SignInFailures } from './sign-in-failures.js';
import { EmailPasswordGuard, EmailPasswordStrategy } from './sign-in.js';

/** Organisations, projects, members, roles, sessions. Needs Store, KeysEpoch and PROJECT_SETUPS from global modules. */
@Global()
@Module({})
export class PeopleModule {
  static register(settings: PeopleSettings): DynamicModule {
    return {
      module: PeopleModule,
      imports: [PassportModule, TypeOrmModule.forFeature([Organization, Project, Role, Member, Session, SignInFailure])],
      controllers: [SessionController, ProjectsController, MembersController],
      providers: [
        { provide: PEOPLE_SETTINGS, useValue: settings },
        ProjectDirectory,
        { provide: Projects, useExisting: ProjectDirectory },
        MemberDirectory,
        { provide: Members, useExisting: MemberDirectory },
        OrganizationsService,
        ProjectsService,
        MembersService,
        SessionTokens,
        SessionReader,
        SessionsService,
        SignInFailures,
        EmailPasswordStrategy,
        EmailPasswordGuard,
      ],
      exports: [Projects, Members, OrganizationsService, ProjectsService, MembersService, SessionReader, SessionsService],
    };
  }
}
