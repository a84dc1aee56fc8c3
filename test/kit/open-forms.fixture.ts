import { DomainModule } from '../../src/kit/index.js';

const roles = ['admin', 'developer'] as const;

/** A module without routes, whose keys have permissions of their own. */
@DomainModule({
  name: 'open_forms',
  title: 'Open forms',
  guide: 'It has nothing to call.',
  scopes: {},
  permissions: {
    'open_forms.key.view': { title: 'See keys of forms', roles },
    'open_forms.key.create': { title: 'Create keys of forms', roles, needsSecondFactor: true },
    'open_forms.key.delete': { title: 'Revoke keys of forms', roles },
    'open_forms.call.view': { title: 'See the calls of forms', roles },
  },
  keys: {
    permissions: {
      view: 'open_forms.key.view',
      create: 'open_forms.key.create',
      delete: 'open_forms.key.delete',
      calls: 'open_forms.call.view',
    },
    ratePerMinute: 3,
  },
  entities: [],
  controllers: [],
  providers: [],
})
export class OpenFormsModule {}
