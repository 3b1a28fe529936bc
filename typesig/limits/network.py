"""The limits of what is served and asked over networks; they are written as in `typesig.limits`."""

from __future__ import annotations

# -- The tools of MCP servers

#: Tools that `typesig.mcp.tools_from` reads of one server. `TooLarge` is raised.
MAX_FOREIGN_TOOLS = 10_000

#: Pages of a server's list of tools that `typesig.mcp.tools_from` reads. `TooLarge` is raised.
MAX_PAGES = 1_000

#: Bytes of an answer of such a server. A call that gets a longer one is an error.
MAX_ANSWER = 16_000_000

#: Times in a row that a proxy starts the process of another server again. Then each call is
#: answered with an error.
MAX_RESTARTS = 5

#: Seconds after which the earlier ends of such a process do not count. One that ends sooner has
#: ended in a row.
MIN_RUN_SECONDS = 60

#: Seconds that a call to a proxy waits while the other server is started again. It is answered with
#: an error.
MAX_RESTART_SECONDS = 30

#: Times that such a server may ask for more before it answers a call. The call is an error.
MAX_INPUT_ROUNDS = 10

# -- Serving over MCP

#: Calls that a server runs at once, those that nobody waits for any more included. The next is
#: answered with an error.
MAX_SERVED_CALLS = 1_000

#: Seconds that a served call takes, unless `server(seconds=…)` says otherwise. It is cancelled, and
#: answered with an error.
MAX_CALL_SECONDS = 300

#: Seconds until a call over HTTP that has sent nothing yet gets an event stream, which keeps its
#: connection open. A call that ends sooner is answered with JSON.
MAX_QUIET_SECONDS = 5

#: Seconds that a served call waits for what it asks of its client, such as the answer of a person.
#: The call has an error; these seconds are none of the call's own.
MAX_ASKING_SECONDS = 600

#: Times that a person is asked for an answer that does not fit. The outcome has its errors.
MAX_ASKED = 3

#: Calls that wait at once for a client that answers with its next request. The oldest is cancelled.
MAX_WAITING_CALLS = 500

#: Messages about its progress and for the log that a served call keeps for a client that reads
#: slowly. Older progress is left out first; a message tells how many others are.
MAX_NOTICES = 1_000

#: Characters of one such message. The text is cut, with `…`.
MAX_NOTICE = 10_000

#: Bytes of the body of a request over HTTP, and of a message over standard input. The first is
#: answered with the status 413, the second with an error of the protocol.
MAX_BODY = 4 << 20

#: Seconds until the body of a request over HTTP has arrived. It is answered with the status 408.
MAX_BODY_SECONDS = 30

#: Seconds until the head of a request over HTTP has arrived, from the connection or from its first
#: byte on. The connection is answered with the status 408 and closed.
MAX_HEAD_SECONDS = 10

#: Sessions over HTTP at once. The longest unused one ends, and its client starts another.
MAX_SESSIONS = 1_000

#: Seconds that a session over HTTP lasts without a request. It has ended, and the client starts
#: another.
MAX_IDLE_SECONDS = 1_800

#: Connections over HTTP at once. For a further one, the longest unused one without a request is
#: closed; if there is none, the further one is.
MAX_CONNECTIONS = 2_000

#: Connections over HTTP at once from one address, as for all of them. Behind a proxy, all clients
#: have its address.
MAX_ADDRESS_CONNECTIONS = 1_000

#: Streams of changes that clients of a server listen to at once. A further one is refused.
MAX_LISTENERS = 1_000

#: Seconds that calls have to end when a server stops. The server does not wait for them any longer.
MAX_STOP_SECONDS = 2

#: Characters at least of a bearer token. `TypesigError` is raised for a shorter one.
MIN_TOKEN = 16

# -- OpenAPI

#: Characters of a document of OpenAPI. `TooLarge` is raised.
MAX_DOCUMENT = 16_000_000

#: Values in such a document, each counted at all its places. `TooLarge` is raised.
MAX_DOCUMENT_VALUES = 5_000_000

#: Parts of a branch that are searched for the values of a discriminator. None are added to a branch
#: that has more.
MAX_TAGGED_PARTS = 1_000

#: Redirects that a request of an operation follows. The outcome is an error.
MAX_REDIRECTS = 5

#: Bytes of a response to such a request. The outcome is an error.
MAX_RESPONSE = 16_000_000

#: Seconds until the body of a response through httpx has arrived, its head being there. The outcome
#: is an error.
MAX_RESPONSE_SECONDS = 300

#: Characters of the text of a failed response that a model is told. The text is cut.
MAX_RESPONSE_TEXT = 2_000
