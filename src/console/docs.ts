/** The page `/api/v1/docs`: Swagger UI with the description of the API. */
import swaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js'

/** The path of the API. Behind a proxy, the page's address may have another path in front of this one. */
const API = '/api/v1/'

async function showDocs(): Promise<void> {
  const answer = await fetch('openapi.json')
  const description = await answer.json()
  const base = location.href.slice(0, location.href.indexOf(`${API}docs`))
  swaggerUi({
    dom_id: '#docs',
    spec: { ...description, servers: [{ url: base }] },
    deepLinking: true,
    docExpansion: 'list',
    validatorUrl: null,
  })
}

showDocs().catch((error: unknown) => {
  const place = document.querySelector('#docs')
  if (place !== null) place.textContent = `The description of the API could not be shown: ${error}`
})
