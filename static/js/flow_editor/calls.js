// Talking to the server. A refusal arrives as a problem with a code.

export class Refusal extends Error {
  constructor(problem) {
    super(problem.detail || problem.title || gettext("The server did not answer."));
    this.problem = problem;
  }
}

function token() {
  return document.querySelector("[name=csrfmiddlewaretoken]").value;
}

/** One call; `body` may be JSON text that is sent as it stands. */
export async function call(url, { method = "GET", body, signal } = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRFToken"] = token();
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(url, { method, headers, body: sent, signal, credentials: "same-origin" });
  const isJson = (answer.headers.get("Content-Type") || "").includes("json");
  if (!answer.ok || (answer.redirected && !isJson)) {
    throw new Refusal(isJson ? await answer.json() : { status: answer.status, detail: gettext("Log in again, then retry.") });
  }
  return answer.status === 204 ? null : answer.json();
}

export const post = (url, body, options = {}) => call(url, { ...options, method: "POST", body });
