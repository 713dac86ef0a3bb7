import { GroupPage } from '#console/pages/group.tsx'
import { OnCallPage } from '#console/pages/on-call.tsx'
import { PersonPage } from '#console/pages/person.tsx'
import { PolicyPage } from '#console/pages/policy.tsx'
import { RotaPage } from '#console/pages/rota.tsx'

/** The pages around `On call`. A browser loads their file when the first of them is opened. */
export function OnCallPages({ page, id }: { page: string; id: string | null }) {
  switch (page) {
    case 'people':
      return <PersonPage id={id} />
    case 'groups':
      return <GroupPage id={id} />
    case 'rotas':
      return <RotaPage id={id} />
    case 'policies':
      return <PolicyPage id={id} />
    default:
      return <OnCallPage />
  }
}
