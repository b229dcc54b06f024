package env

// Message documents one key that notes use: where it comes from in our code, in Kafka's, and which article tells of it.
// Each package lists its own in a variable Messages; the sentences, English and Chinese, stand in lessons/messages.
type Message struct {
	Key     string   `json:"-"`
	Src     string   `json:"src"`               // our function: "controller.(*Controller).processBrokerChange"
	Kafka   string   `json:"kafka"`             // Kafka's: "KafkaController.processBrokerChange"
	Article string   `json:"article,omitempty"` // source article: "S0" .. "S4"
	Args    []string `json:"-"`                 // names of the arguments that notes with this key carry
}
